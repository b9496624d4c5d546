import type { RequestHandler } from 'express'
import type { DataSource } from '../lib/data/data-source'
import { isRead } from '../lib/http/request'

/**
 * Takes over what others have changed before a change goes to the user's own middlewares. One that looks into `app.db`
 * without waiting ("this email is taken") is then right for all servers that share the data.
 */
export function newestData(data: DataSource): RequestHandler {
  return async function newestDataMiddleware(request, _response, next) {
    try {
      if (!isRead(request)) await data.refresh()
    } catch {
      // Where nothing can be saved, the resource says so, later: a middleware may respond without the data.
    }
    next()
  }
}
