// Neither package brings types of its own.
declare module "truncate-utf8-bytes" {
  const truncate: (text: string, maxBytes: number) => string;
  export = truncate;
}

declare module "unicode-byte-truncate" {
  const truncate: (text: string, maxBytes: number) => string;
  export = truncate;
}
