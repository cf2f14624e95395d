'use strict'
// Waiting without sleeping: every wait is for a condition, with a deadline far beyond what a busy
// machine needs. The error of a test that fails here names what it was waiting for.

const DEADLINE_MS = 60_000

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// Calls `probe` until it returns something truthy, and returns that.
async function until(what, probe, deadlineMs = DEADLINE_MS) {
  const end = Date.now() + deadlineMs
  let last
  for (;;) {
    try {
      const value = await probe()
      if (value) return value
      last = undefined
    } catch (error) {
      last = error
    }
    if (Date.now() >= end) {
      throw new Error(`not within ${deadlineMs} ms: ${what}${last ? ` (last: ${last.message})` : ''}`)
    }
    await pause(20)
  }
}

// Returns the promise's outcome, or an error if it takes too long.
function within(what, promise, deadlineMs = DEADLINE_MS) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${deadlineMs} ms: ${what}`)), deadlineMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

// Returns a promise together with its resolve and reject functions.
function deferred() {
  const handles = {}
  handles.promise = new Promise((resolve, reject) => Object.assign(handles, { resolve, reject }))
  return handles
}

let counter = 0
// Returns a name that no other test uses: tests share a server and must not see one another's jobs.
const unique = (prefix) => `${prefix}-${process.pid}-${++counter}`

module.exports = { DEADLINE_MS, deferred, pause, unique, until, within }
