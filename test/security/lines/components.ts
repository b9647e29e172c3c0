import { type Chapter, line } from '../line.ts'

/** What the cards must hold, so that nobody answers by accident and everybody can answer. */
export const components: Chapter = {
  title: 'Cards that ask',
  lines: [
    line(
      'C2',
      'a card takes the focus of somebody who is typing',
      'an inline card never takes focus or scrolls; it is announced once',
      'a card that arrives takes no focus, moves nothing, and is announced once through a region that was there',
    ),
    line(
      'C3',
      'Esc answers; a card poses as a dialog',
      'a group inline; a dialog only where the person opened it; Esc leads back',
      'a card is a named group, not a dialog',
      'Escape leads back to the card, which still waits; it answers nothing',
    ),
    line(
      'C4',
      'Enter in the composer approves',
      'no global keys; composition and held keys are respected',
      'Enter in the composer answers nothing, and neither does Enter in the reason',
      'a key that is still held from elsewhere answers nothing',
    ),
    line(
      'C5',
      'a double click, or a click that was meant for something else',
      'a latch; half a second of arming; a button that moved does not count',
      'two clicks within one tick send one answer',
      'a button that was pushed away under the pointer does not count',
      'does not flicker while text streams and shifts things by a little',
    ),
    line(
      'C6',
      'an answer that comes from elsewhere takes the focus away',
      'focus is put back only if it was inside the card',
      'after an answer focus goes back to where the person was, if it was in the card',
      'somebody else answers while I write elsewhere: my focus stays',
    ),
    line(
      'C7',
      'what was typed is lost, an error is not found',
      'values survive errors, reprompts, pop-out and reconnects; errors stand at their fields',
      'asked again: the same surface, the same field, everything typed kept',
      'several problems: a summary has focus, and its links lead to the fields',
    ),
    line(
      'C9',
      'a sentence is missing in a language',
      'a missing key does not compile; plurals by Intl',
      'a missing key does not compile',
      'plurals follow the language',
    ),
    line(
      'C10',
      'forced colours, reduced motion, 320 pixels, 200 % text',
      'outlines, no motion, reflow',
      'forced colours: edges and focus are lines, not shadows',
      'reduced motion: nothing moves',
      'no story scrolls sideways',
    ),
    line(
      'C11',
      'an agent’s text becomes markup or a link',
      'everything is text; links are http(s) and show their host',
      'hostile text stays text: nothing runs, no element, no link is made of it',
      'an address that is no web address is never opened and never a link',
    ),
    line(
      'C12',
      'a strict policy for styles breaks the page; a server’s markup does not fit',
      'no styles from scripts; React 18 and 19 come alive without a warning',
      'a strict style-src with a nonce is not violated, with the larger view open as well',
      'a page rendered on a server comes alive without a warning, and StrictMode sends once',
    ),
  ],
}
