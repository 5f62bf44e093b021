import stringByteSlice from "string-byte-slice";
import truncateUtf8Bytes from "truncate-utf8-bytes";
import unicodeByteTruncate from "unicode-byte-truncate";

/** Another project's way to the longest prefix of at most `maxBytes` UTF-8 bytes. */
export interface Peer {
  readonly name: "truncate-utf8-bytes" | "string-byte-slice" | "unicode-byte-truncate";
  keepHead(text: string, maxBytes: number): string;
  /** The longest suffix, where the peer knows one. */
  keepTail?(text: string, maxBytes: number): string;
}

export const PEERS: readonly Peer[] = [
  { name: "truncate-utf8-bytes", keepHead: truncateUtf8Bytes },
  {
    name: "string-byte-slice",
    keepHead: (text, maxBytes) => stringByteSlice(text, 0, maxBytes),
    keepTail: (text, maxBytes) => stringByteSlice(text, -maxBytes),
  },
  { name: "unicode-byte-truncate", keepHead: unicodeByteTruncate },
];
