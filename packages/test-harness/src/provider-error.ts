const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export interface ProviderErrorBody {
  readonly type: "error";
  readonly error: { readonly type: string; readonly message: string };
}

/** The provider's error body for a status, with the type that it uses for it. */
export function providerError(status: number, message: string, errorType?: string): ProviderErrorBody {
  return { type: "error", error: { type: errorType ?? TYPES[status] ?? "api_error", message } };
}
