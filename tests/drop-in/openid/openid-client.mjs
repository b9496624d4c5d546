import { createServer } from 'node:http'
import * as client from 'openid-client'

/** A server that logs in by openid-client, as its README has it. An issuer over http must be allowed. */
const { ISSUER, PORT } = process.env
const execute = [client.allowInsecureRequests]
const config = await client.discovery(new URL(ISSUER), 'server', 'any', undefined, { execute })
let checks
let tokens
const server = createServer((request, response) => {
  const here = `http://${request.headers.host}`
  const go = (address) => response.writeHead(302, { Location: String(address) }).end()
  const routes = {
    '/login': async () => {
      const verifier = client.randomPKCECodeVerifier()
      checks = {
        pkceCodeVerifier: verifier,
        expectedState: client.randomState(),
        expectedNonce: client.randomNonce(),
      }
      const parameters = {
        redirect_uri: `${here}/callback`,
        scope: 'openid profile email',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: checks.expectedState,
        nonce: checks.expectedNonce,
      }
      go(client.buildAuthorizationUrl(config, parameters))
    },
    '/callback': async () => {
      tokens = await client.authorizationCodeGrant(config, new URL(request.url, here), checks)
      go('/')
    },
    '/renew': async () => {
      tokens = await client.refreshTokenGrant(config, tokens.refresh_token)
      go('/')
    },
    '/logout': async () => {
      const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: `${here}/` }
      tokens = undefined
      go(client.buildEndSessionUrl(config, parameters))
    },
    '/': async () => {
      const sub = tokens?.claims()?.sub ?? tokens?.sub
      const user =
        tokens && (await client.fetchUserInfo(config, tokens.access_token, sub ?? client.skipSubjectCheck))
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ user: user ?? null, access: tokens?.access_token }))
    },
  }
  const [path] = request.url.split('?')
  const route = routes[path] ?? (async () => response.writeHead(404).end())
  route().catch((error) => response.writeHead(500).end(String(error.stack)))
})
server.listen(Number(PORT), 'localhost')
