import { broadcastResponseToMainFrame } from '@azure/msal-browser/redirect-bridge'

/** The page to which the provider sends a popup or a frame of MSAL back. */
export async function open() {
  await broadcastResponseToMainFrame()
}
