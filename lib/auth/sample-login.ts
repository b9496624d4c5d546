import { type Credentials, isCredentials } from './credentials'

/** A user of the shipped sample data. It is public, so it may be printed and shown. */
const SAMPLE_LOGIN: Credentials = { email: 'mia@example.com', password: 'sourdough' }

/**
 * The login of the shipped sample data, if these users have it.
 *
 * @param users the content of the collection `users`, whatever it is
 */
export function sampleLogin(users: unknown): Credentials | undefined {
  const hasSample =
    Array.isArray(users) &&
    users.some(
      (user) =>
        isCredentials(user) && user.email === SAMPLE_LOGIN.email && user.password === SAMPLE_LOGIN.password,
    )
  return hasSample ? SAMPLE_LOGIN : undefined
}
