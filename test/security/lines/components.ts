import { type Chapter, line } from '../line.ts'

/** Accidents on a card: an answer by mistake, a card that some people cannot use. */
export const components: Chapter = {
  title: 'Cards that ask',
  lines: [
    line(
      'C2',
      'a card takes the focus while a person is typing',
      'an inline card never takes focus or scrolls the page; it is announced once',
      1,
    ),
    line(
      'C3',
      'Esc answers a question; a card behaves like a dialog',
      'an inline card is a group; only a card that the person enlarged is a dialog; Esc returns to the inline card',
      2,
    ),
    line('C4', 'Enter in the composer approves', 'no global keys; composition and held keys are ignored', 2),
    line(
      'C5',
      'a double click, or a click meant for something else, answers',
      'the first click locks the card; approve is enabled after half a second; a click on a button that just moved is ignored',
      3,
    ),
    line('C6', 'an answer from another device moves the focus', 'focus moves only if it was inside the card', 2),
    line(
      'C7',
      'typed input is lost, or an error is hard to find',
      'values survive errors, reprompts, the larger view and reconnects; errors appear at their fields',
      2,
    ),
    line('C9', 'a language lacks a sentence', 'a missing key is a compile error; plurals come from Intl', 2),
    line('C10', 'forced colors, reduced motion, 320 pixels, 200 % text', 'outlines, no motion, reflow', 3),
    line(
      'C11',
      "an agent's text becomes markup or a link",
      'all text is escaped; links are http(s) and show their host',
      2,
    ),
    line(
      'C12',
      'a strict style policy breaks the page, or server markup does not hydrate',
      'no styles from scripts; React 18 and 19 hydrate without a warning',
      2,
    ),
  ],
}
