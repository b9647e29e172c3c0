const refusals: Readonly<Record<string, string>> = {
  denied: 'Understood. Nothing was changed.',
  declined: 'Fine, I continue without it.',
  cancelled: 'Stopped.',
  expired: 'The question expired, so nothing was done.',
  superseded: 'You continued without answering, so nothing was done.',
}

/** Returns the text that the scripted model writes about a tool's result. */
export function sentence(result: unknown): string {
  const facts = (typeof result === 'object' && result !== null ? result : {}) as Record<string, unknown>
  if (typeof facts.holdpoint === 'string') return refusals[facts.holdpoint] ?? 'That did not work out.'
  if (Array.isArray(facts.deleted)) {
    return `Done: ${facts.deleted.length} ${facts.deleted.length === 1 ? 'file' : 'files'} deleted.`
  }
  if (facts.mood) return `Thank you. A ${facts.mood} week with ${facts.hours} hours of deep work.`
  if (facts.sent === true) return `Sent to ${facts.to}.`
  if (facts.sent === false) return 'I did not send it.'
  if (facts.posted === true) return `Posted to ${facts.channel}.`
  if (Array.isArray(facts.read)) return `The report is written, from ${facts.read.join(' and ')}.`
  if (facts.image) return facts.production ? `${facts.image} is in production.` : `${facts.image} stays in staging.`
  if (facts.queued) return 'I continue with the rest. Answer whenever you like.'
  if ('colour' in facts) {
    return facts.colour ? `The launch page will be ${facts.colour}.` : 'I will pick a color myself.'
  }
  return 'Done.'
}
