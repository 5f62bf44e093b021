import { type Provider, type ProviderOptions, startProvider } from "./provider.js";

/** Runs `use` against a provider of its own and closes it whatever happens. A mistake of the script is what it rejects with first. */
export async function withProvider<T>(options: ProviderOptions, use: (provider: Provider) => Promise<T>): Promise<T> {
  const provider = await startProvider(options);
  try {
    return await use(provider);
  } finally {
    await provider.close();
  }
}
