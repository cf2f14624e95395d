'use strict'
// The clients that people use, unmodified, and a bare gRPC client for requests that those cannot
// send.

const assert = require('node:assert/strict')
const path = require('node:path')
const grpc = require('@grpc/grpc-js')
const loader = require('@grpc/proto-loader')
const { Camunda8 } = require('@camunda8/sdk')
const { ZBClient } = require('zeebe-node')
const { DEADLINE_MS } = require('./wait')

const PROTO = path.resolve(__dirname, '../../../proto/gateway.proto')
const options = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true }
const { gateway_protocol } = grpc.loadPackageDefinition(loader.loadSync(PROTO, options))

class Raw {
  constructor(address, channelOptions = {}) {
    this.address = address
    this.channelOptions = {
      'grpc.max_receive_message_length': 64 * 1024 * 1024,
      'grpc.max_send_message_length': 64 * 1024 * 1024,
      'grpc.use_local_subchannel_pool': 1,
      ...channelOptions,
    }
    this.client = new gateway_protocol.Gateway(address, grpc.credentials.createInsecure(), this.channelOptions)
  }

  // Makes one unary call; rejects with an error that has `code` and `details`.
  call(rpc, request = {}, { deadlineMs = DEADLINE_MS, metadata = new grpc.Metadata() } = {}) {
    return new Promise((resolve, reject) => {
      this.client[rpc](request, metadata, { deadline: Date.now() + deadlineMs }, (error, response) =>
        error ? reject(error) : resolve(response),
      )
    })
  }

  // Sends these bytes as the request of `rpc`, for requests that no library would build.
  bytes(rpc, bytes, { deadlineMs = DEADLINE_MS } = {}) {
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        `/gateway_protocol.Gateway/${rpc}`,
        (buffer) => buffer,
        (buffer) => buffer,
        bytes,
        new grpc.Metadata(),
        { deadline: Date.now() + deadlineMs },
        (error, response) => (error ? reject(error) : resolve(response)),
      )
    })
  }

  // Runs ActivateJobs to its end; returns { jobs, messages (how many), millis }.
  activate(request, { deadlineMs = DEADLINE_MS } = {}) {
    const started = Date.now()
    return new Promise((resolve, reject) => {
      const result = { jobs: [], messages: 0 }
      const call = this.client.ActivateJobs(
        { worker: 'e2e', timeout: 60_000, maxJobsToActivate: 32, requestTimeout: -1, ...request },
        { deadline: Date.now() + deadlineMs },
      )
      call.on('data', (message) => {
        result.messages += 1
        result.jobs.push(...message.jobs)
      })
      call.on('error', reject)
      call.on('end', () => resolve({ ...result, millis: Date.now() - started }))
    })
  }

  // Opens a call, which the caller reads and cancels.
  openActivate(request, callOptions = {}) {
    const call = this.client.ActivateJobs(
      { worker: 'e2e', timeout: 60_000, maxJobsToActivate: 32, requestTimeout: 30_000, ...request },
      callOptions,
    )
    return watch(call, (message) => message.jobs)
  }

  openStream(request, callOptions = {}) {
    const call = this.client.StreamActivatedJobs({ worker: 'e2e', timeout: 60_000, ...request }, callOptions)
    return watch(call, (job) => [job])
  }

  close() {
    this.client.close()
  }
}

// Collects what a server-streaming call returns. `ended` resolves with the error, or with nothing
// if the call ended with OK.
function watch(call, jobsOf) {
  const state = { call, jobs: [], over: false }
  call.on('data', (message) => state.jobs.push(...jobsOf(message)))
  state.ended = new Promise((resolve) => {
    call.on('error', (error) => {
      state.over = true
      resolve(error)
    })
    call.on('end', () => {
      state.over = true
      resolve(undefined)
    })
  })
  state.cancel = () => call.cancel()
  return state
}

class Clients {
  constructor(server) {
    this.server = server
    this.open = []
  }

  keep(client) {
    this.open.push(client)
    return client
  }

  // Returns one bare client, which is shared.
  raw() {
    this.shared = this.shared || this.keep(new Raw(this.server.address))
    return this.shared
  }

  node(more = {}) {
    return this.keep(
      new ZBClient(this.server.address, { useTLS: false, loglevel: 'NONE', retry: false, longPoll: 3_000, ...more }),
    )
  }

  sdk(more = {}) {
    const camunda = new Camunda8({
      ZEEBE_GRPC_ADDRESS: `grpc://${this.server.address}`,
      CAMUNDA_AUTH_STRATEGY: 'NONE',
      CAMUNDA_LOG_LEVEL: 'none',
      zeebeGrpcSettings: {
        ZEEBE_CLIENT_LOG_LEVEL: 'NONE',
        ZEEBE_GRPC_CLIENT_RETRY: false,
        // Closing a client waits for its workers' polls.
        ZEEBE_GRPC_WORKER_LONGPOLL_SECONDS: 3,
      },
      ...more,
    })
    return this.keep(camunda.getZeebeGrpcApiClient())
  }

  async close() {
    await Promise.all(this.open.map((client) => client.close()))
  }
}

// The call must fail with this status and a text that contains (or matches) `text`.
async function refused(promise, status, text) {
  let answer
  try {
    answer = await promise
  } catch (error) {
    assert.equal(grpc.status[error.code], status, `status of: ${error.message}`)
    const details = error.details ?? error.message
    if (text instanceof RegExp) assert.match(details, text)
    else if (text !== undefined) assert.ok(details.includes(text), `expected "${text}" in "${details}"`)
    return error
  }
  throw new assert.AssertionError({
    message: `expected ${status} "${text}", but the call succeeded with ${JSON.stringify(answer)}`,
  })
}

// A key that no partition has used.
const UNKNOWN_KEY = String((1n << 51n) + 999_999_999n)

module.exports = { Clients, PROTO, Raw, UNKNOWN_KEY, grpc, refused }
