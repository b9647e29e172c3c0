export interface Part {
  type: string
  text?: string
}

/** The parts of an event stream as they come. */
export async function* partsOf(response: Response): AsyncGenerator<Part> {
  if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += read.value
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '))
      if (data) yield JSON.parse(data.slice(6)) as Part
    }
  }
}
