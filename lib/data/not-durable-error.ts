import { HttpError } from '../errors'

/** The change is made, in memory and in the file, but its folder could not be synced. */
export class NotDurableError extends HttpError {
  constructor(name: string, code: unknown) {
    super(
      500,
      `The change was made, but a power failure may undo it, because the folder of ${name} could not be synced (${code}).`,
    )
  }
}
