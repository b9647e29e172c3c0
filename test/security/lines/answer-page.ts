import { type Chapter, line } from '../line.ts'

/** Attacks on answer pages and answer links. */
export const answerPage: Chapter = {
  title: 'Answer pages and links',
  lines: [
    line('P1', 'a mail scanner or a preview opens a link', 'a GET shows and changes nothing; only a POST answers', 1),
    line(
      'P2',
      'a link is forwarded, or used for another interaction or user',
      'a link belongs to one interaction and to one user who may answer it; another signed-in user is rejected',
      2,
    ),
    line(
      'P3',
      'a link is guessed, used too late, or read in a log, a Referer, a cache or a copy of the database',
      '256 random bits, stored as a hash; expiry, revocation and erasure; `no-referrer`, `no-store`, no script, and no frames except those of the same origin with `allowFramed`',
      4,
    ),
    line(
      'P4',
      'another site posts the form, or the page shows something else than what runs',
      'the Origin is checked and a form type is required; an approval carries the digest of what its page showed',
      2,
    ),
    line(
      'P5',
      'a stolen link approves a dangerous call, collects a secret or connects the account of its thief',
      "`risk: 'high'`, secret fields and accounts need the login unless `linkMayAnswer` allows them; a secret is never sent back",
      4,
    ),
    line(
      'P6',
      'an agent writes markup into a page, or a stranger reads one',
      'every text is escaped and shows what is invisible; foreign and unknown interactions look alike',
      2,
    ),
    line(
      'P7',
      'a form sends huge files, files of strangers, or files that its question does not ask for',
      'the user and the field are checked before a file is read; at most one file is in memory; an answer names only files that its user uploaded for this field, as they were uploaded',
      4,
    ),
  ],
}
