const words = ['delete', 'survey', 'email', 'slack', 'report', 'deploy', 'later']

interface ComposerProps {
  message: string
  onMessage(message: string): void
  onSend(text: string): void
  error: string | null
}

export function Composer({ message, onMessage, onSend, error }: ComposerProps) {
  const send = (text: string) => {
    if (text.trim() === '') return
    onMessage('')
    onSend(text.trim())
  }
  return (
    <>
      <div className="chips">
        {words.map((word) => (
          <button key={word} type="button" className="control chip" onClick={() => send(word)}>
            {word}
          </button>
        ))}
      </div>
      {error && <p role="alert">{error}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send(message)
        }}
      >
        <input
          className="control grow"
          aria-label="Message"
          placeholder="Message"
          value={message}
          onChange={(event) => onMessage(event.target.value)}
          autoComplete="off"
        />
        <button type="submit" className="control primary">
          Send
        </button>
      </form>
    </>
  )
}
