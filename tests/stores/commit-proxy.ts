import { chmodSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'

/** Stands between a server and PostgreSQL, and can lose a COMMIT or the reply to it. */
export class CommitProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #losing: 'COMMIT' | 'reply' | undefined
  #isOpen = true
  #lost: () => void = () => {}

  /** @param folder where it listens @param target the socket of PostgreSQL */
  constructor(folder: string, target: string) {
    this.#server = createServer((client) => this.#forward(client, connect(target)))
    const socket = path.join(folder, '.s.PGSQL.5432')
    this.#server.listen(socket, () => chmodSync(socket, 0o777))
  }

  /** Loses the next COMMIT, or the reply to it, and with it the connection. Nobody can connect until `open`. */
  lose(what: 'COMMIT' | 'reply'): Promise<void> {
    this.#losing = what
    return new Promise((resolve) => {
      this.#lost = resolve
    })
  }

  open(): void {
    this.#isOpen = true
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #forward(client: Socket, database: Socket): void {
    let isLosing = false
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      this.#sockets.add(socket)
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    if (!this.#isOpen) end()
    client.on('data', (data) => {
      if (this.#losing !== undefined && data.includes('; COMMIT')) {
        const losesReply = this.#losing === 'reply'
        this.#losing = undefined
        this.#isOpen = false
        if (!losesReply) {
          end()
          this.#lost()
          return
        }
        isLosing = true
      }
      database.write(data)
    })
    database.on('data', (data) => {
      if (isLosing) {
        // PostgreSQL replies when the transaction is made.
        end()
        this.#lost()
      } else client.write(data)
    })
  }
}
