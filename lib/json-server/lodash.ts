import jsonServer, { type Lodash } from 'json-server'
import { version } from 'json-server/package.json'

/** The version whose routers are known. */
const KNOWN_VERSION = '0.17.4'

let ownLodash: Lodash | undefined

/**
 * The lodash of json-server's databases, with json-server's own functions. It is made once, because that
 * takes 5 ms.
 *
 * @throws Error when json-server is not version 0.17.4
 */
export function lodash(): Lodash {
  ownLodash ??= makeLodash()
  return ownLodash
}

function makeLodash(): Lodash {
  if (version !== KNOWN_VERSION)
    throw new Error(`json-server ${version} is installed: install json-server ${KNOWN_VERSION} exactly.`)
  return jsonServer.router({}).db._
}
