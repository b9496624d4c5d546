/** What installs packages, kills processes a hundred times or waits for a browser takes minutes: this ends only a hang. */
jest.setTimeout(300_000)
