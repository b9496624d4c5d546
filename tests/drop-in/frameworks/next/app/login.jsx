'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { logIn } from '../../session.mjs'

export function Login({ mock }) {
  const router = useRouter()
  const [isAlive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  function submit(event) {
    event.preventDefault()
    logIn(mock, event.target, router.refresh)
  }
  return (
    <form onSubmit={submit}>
      <input name="email" aria-label="Email" />
      <input name="password" aria-label="Password" />
      <button type="submit" disabled={!isAlive}>
        Log in
      </button>
    </form>
  )
}
