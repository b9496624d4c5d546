import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SessionCheck } from './authentication'

/** What refuses the tokens of a key. */
interface KeySessions {
  readonly key: KeyObject
  readonly check: SessionCheck
}

const passed = new WeakMap<IncomingMessage, KeySessions[]>()

/** Called by a login that passes a request on: a token check after it refuses what that login has ended. */
export function passSessions(request: IncomingMessage, sessions: KeySessions): void {
  const earlier = passed.get(request)
  if (earlier === undefined) passed.set(request, [sessions])
  else earlier.push(sessions)
}

/** Refuses what has been ended by the logins that a request has come through and that have this key. */
export function passedSessions(key: KeyObject): SessionCheck {
  return {
    refusalOf(claims, request) {
      for (const sessions of passed.get(request) ?? []) {
        const refusal = sessions.key.equals(key) ? sessions.check.refusalOf(claims, request) : undefined
        if (refusal !== undefined) return refusal
      }
      return undefined
    },
  }
}
