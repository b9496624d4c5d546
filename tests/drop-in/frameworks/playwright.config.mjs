import { defineConfig } from '@playwright/test'

export default defineConfig({
  fullyParallel: true,
  workers: 8,
  // They end only what hangs.
  timeout: 240_000,
  expect: { timeout: 120_000 },
  use: { baseURL: process.env.SITE, launchOptions: JSON.parse(process.env.BROWSER) },
})
