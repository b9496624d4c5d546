import type { ExtraClaims } from '../../auth/access-token'
import type { AccountRoute } from '../../auth/account-route'
import { respondsTo } from '../../auth/service'
import { accountSteps } from './account-handlers'
import type { AccountOptions } from './account-options'
import { SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I } from './account-routes'
import { readAccountSettings } from './account-settings'
import type { Accounts } from './issue'
import { Sessions, type SessionsOptions, sessionMemory } from './sessions'
import { type SignUpOptions, signUpSteps } from './sign-up'
import { fillTemplate } from './template'

export { accounts } from './accounts'

/**
 * Reads the options, once for all data of a server.
 *
 * @param server what its sessions have in common
 * @throws OptionError for one that cannot be used
 */
export function readAccounts(options: AccountOptions, server: Pick<SessionsOptions, 'key' | 'lifetime'>) {
  const settings = readAccountSettings(options)
  const memory = sessionMemory()
  // The document needs no token, so the samples of responses show no user.
  const sample = { refresh: 'text', user: {}, expires: 3600, message: 'text' }
  const loginSample = (token: string) => fillTemplate(settings.loginResponse, { ...sample, token })
  return {
    tokenRefusalBody: settings.tokenRefusalBody,
    /** The routes, for the document. */
    routes: settings.routes.map(({ method, path, does }): AccountRoute => {
      if (does === 'whoAmI') return { method, path, does }
      return { method, path, does, response: does === 'logOut' ? () => ({}) : loginSample }
    }),
    /**
     * Makes the sessions of some data.
     *
     * @param clock its own, in milliseconds since the epoch
     */
    sessionsFor: (clock: () => number, claims: ExtraClaims = {}) =>
      new Sessions({ ...server, clock, claims, strict: settings.refreshOnce, memory }),
    /** Makes the steps for some data. */
    stepsFor(given: Omit<Accounts, 'settings'> & SignUpOptions) {
      const accounts = { ...given, settings }
      const signUp = signUpSteps(accounts, given)
      const steps = accountSteps(accounts, signUp.beginAt)
      const logIn = steps.find((step) => respondsTo(step, SPECIFIED_LOGIN))
      const whoAmI = steps.find((step) => respondsTo(step, SPECIFIED_WHO_AM_I))
      const others = steps.filter((step) => step !== logIn && step !== whoAmI)
      return {
        /** Those that need no token: login, sign-up, refresh, logout. */
        open: others.filter(({ service }) => service.isOpen),
        /** Whose token it is: after the token check. */
        me: others.filter(({ service }) => !service.isOpen),
        /** The two at the specified paths; undefined where these stay as specified. */
        logIn,
        whoAmI,
        /** Stores who signs up: after the user's own middlewares. */
        finishSignUp: signUp.finish,
      }
    },
  }
}
