import { encodeQR } from 'qr'

/** White on black, whatever the colors of the terminal are: a code with its colors swapped is not readable everywhere. */
const COLORS = '\u001b[97;40m'
const RESET = '\u001b[0m'

/** A QR code in half blocks, which needs about 50 columns for an answer link. */
export function qrCode(text: string): string {
  const lines = encodeQR(text, 'ascii', { ecc: 'low', border: 2 }).trimEnd().split('\n')
  return lines.map((line) => `${COLORS}${line}${RESET}`).join('\n')
}
