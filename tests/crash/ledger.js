'use strict'
// What the server has acknowledged, and what follows from that. The ledger never asks the server:
// it only records what clients sent and received, and reports two facts that cannot both be true.

class Ledger {
  constructor() {
    this.now = 0 // grows with every answer
    this.deployments = [] // { id, version, key }
    this.instances = new Set() // keys of instances whose creation was acknowledged
    this.completions = new Map() // job key -> time when its completion was acknowledged
    this.wrong = []
  }

  tick() {
    return ++this.now
  }

  deployed(metadata) {
    this.tick()
    this.deployments.push({ id: metadata.bpmnProcessId, version: metadata.version, key: metadata.processDefinitionKey })
  }

  created(processInstanceKey) {
    this.tick()
    if (this.instances.has(processInstanceKey)) this.wrong.push(`instance ${processInstanceKey} was created twice`)
    this.instances.add(processInstanceKey)
  }

  // A job came with the answer to a request that was sent at `sentAt`.
  activated(job, sentAt) {
    const completedAt = this.completions.get(job.key)
    if (completedAt !== undefined && completedAt < sentAt) {
      this.wrong.push(`job ${job.key} was activated after its completion had been acknowledged`)
    }
  }

  completed(job) {
    if (this.completions.has(job.key)) this.wrong.push(`job ${job.key} was completed twice`)
    this.completions.set(job.key, this.tick())
  }

  // The server answers that a job which it gave us does not exist. That is right only if a
  // completion of it succeeded, acknowledged or not: an activation may lapse, and the job may go to
  // another worker.
  notFound(job, attempts) {
    if (!this.completions.has(job.key) && attempts.get(job.key) < 2) {
      this.wrong.push(`job ${job.key} was given out but is not there, and nobody else completed it`)
    }
  }
}

module.exports = { Ledger }
