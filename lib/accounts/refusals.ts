import type { TokenRefusal } from '../auth/unauthorized-body'
import { HttpError, type HttpErrorOptions, OptionError } from '../errors'
import { isRecord } from '../is-record'
import type { NotIdentified } from './identify'
import { readTemplate, type Template } from './template'

/** How an application has a request refused. */
export interface RefusalSettings {
  readonly status: number
  readonly body: (error: HttpError) => unknown
}

/** A login that is refused. Beside the sentence, its response can say for which reason. */
export class RefusedLogin extends HttpError {
  readonly why: NotIdentified['why']

  constructor({ why, ...options }: HttpErrorOptions & Pick<NotIdentified, 'why'>) {
    super(options)
    this.why = why
  }
}

/** What a person is told whose login is refused: not whether a name is somebody's. */
export function sentenceAbout(why: NotIdentified['why']): string {
  return why === 'locked' ? 'This account may not log in.' : 'Wrong name or password.'
}

const REFUSAL_BODY: Template = { message: '$message', error: '$message' }

/** What every refusal can say. */
const REFUSAL_VALUES = ['message', 'status']

/** @throws OptionError for what is neither a status nor one with a body */
export function readLoginRefusal(given: Template | undefined): RefusalSettings {
  return readRefusal(given, { option: 'login-refusal', usual: 401, names: [...REFUSAL_VALUES, 'reason'] })
}

/** @throws OptionError for what is neither a status nor one with a body */
export function readSignUpRefusal(given: Template | undefined): RefusalSettings {
  return readRefusal(given, { option: 'sign-up-refusal', usual: 409, names: REFUSAL_VALUES })
}

function readRefusal(
  given: Template | undefined,
  { option, usual, names }: { option: string; usual: number; names: readonly string[] },
): RefusalSettings {
  const { status = usual, body = REFUSAL_BODY } = isRecord(given) ? given : { status: given }
  if (!isStatus(status))
    throw new OptionError(
      `${option} must be a status from 200 to 599, for instance 403, or ` +
        '{"status": 400, "body": {"errors": ["$message"]}}.',
    )
  const fill = readTemplate(body, { option, names })
  return {
    status,
    body(error) {
      // Its own reason is a clause for the log.
      const reason = error instanceof RefusedLogin ? error.why : undefined
      return fill({ message: error.message, status: error.status, reason })
    },
  }
}

/**
 * Reads how the token check refuses: the template of a body, or exactly `{ status, body }`, where the status is a number.
 *
 * @throws OptionError for a status that no refusal can have
 */
export function readTokenRefusal(given: Template | undefined): TokenRefusal | undefined {
  if (given === undefined) return undefined
  const option = 'token-refusal'
  const isWithStatus =
    isRecord(given) && Object.keys(given).sort().join() === 'body,status' && typeof given.status === 'number'
  const { status, body = '' } = isWithStatus ? given : { status: 401, body: given }
  if (!isStatus(status))
    throw new OptionError(`${option}: its status must be one from 200 to 599, for instance 403.`)
  const fill = readTemplate(body, { option, names: REFUSAL_VALUES })
  return { status, body: (message) => fill({ message, status }) }
}

/** Whether a value is the status of a response that has a body. */
function isStatus(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= 200 &&
    value <= 599 &&
    ![204, 205, 304].includes(value)
  )
}
