// The slot of a key in a cluster, as computed by clients.

/** Returns the slot of a key, 0 to 16383, computed from the text between the braces if there is any, otherwise from the whole key. */
export function slotOf(key: string): number {
  const begin = key.indexOf("{") + 1;
  const end = begin > 0 ? key.indexOf("}", begin) : -1;
  let sum = 0;
  // CRC-16/XMODEM.
  for (const byte of Buffer.from(end > begin ? key.slice(begin, end) : key)) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return sum % 16_384;
}
