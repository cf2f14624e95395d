'use strict'
// What the server has acknowledged, and what follows from that. The ledger never asks the server: it
// only remembers what clients sent and heard, and says when two things it heard cannot both be true.

class Ledger {
  constructor() {
    this.now = 0 // grows with everything that is heard
    this.deployments = [] // { id, version, key }
    this.instances = new Map() // key -> Set of elements whose completion was sent
    this.completions = new Map() // job key -> when its completion was acknowledged
    this.sent = new Set() // job keys whose completion was sent, acknowledged or not
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
    if (this.instances.has(processInstanceKey) && this.instances.get(processInstanceKey).acknowledged) {
      this.wrong.push(`instance ${processInstanceKey} was created twice`)
    }
    this.elementsOf(processInstanceKey).acknowledged = true
  }

  elementsOf(processInstanceKey) {
    let elements = this.instances.get(processInstanceKey)
    if (!elements) {
      elements = new Set()
      elements.acknowledged = false
      this.instances.set(processInstanceKey, elements)
    }
    return elements
  }

  // A job came with the answer to a request that was sent at `sentAt`.
  activated(job, sentAt) {
    const completedAt = this.completions.get(job.key)
    if (completedAt !== undefined && completedAt < sentAt) {
      this.wrong.push(`job ${job.key} was activated after its completion had been acknowledged`)
    }
  }

  completing(job) {
    this.sent.add(job.key)
    this.elementsOf(job.processInstanceKey).add(job.elementId)
  }

  completed(job) {
    if (this.completions.has(job.key)) this.wrong.push(`job ${job.key} was completed twice`)
    this.completions.set(job.key, this.tick())
  }

  // The server says the job it gave us is not there. That is right only if somebody's completion of
  // it went through, heard or not: an activation may lapse and the job go to another worker.
  notFound(job, attempts) {
    if (!this.completions.has(job.key) && attempts.get(job.key) < 2) {
      this.wrong.push(`job ${job.key} was given out but is not there, and nobody else completed it`)
    }
  }

  // Acknowledged instances that some element has not been completed for.
  unfinished(elements) {
    const keys = []
    for (const [key, seen] of this.instances) {
      if (seen.acknowledged && elements.some((element) => !seen.has(element))) keys.push(key)
    }
    return keys
  }
}

module.exports = { Ledger }
