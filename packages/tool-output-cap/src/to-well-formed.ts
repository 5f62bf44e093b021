/** The text with U+FFFD for each lone surrogate. Checking is several times faster than converting. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
