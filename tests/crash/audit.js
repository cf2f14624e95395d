'use strict'
// Compares the exported records with the ledger. Exporting is at least once, so a record may occur
// twice; both times it must be the same.

function audit(records, ledger) {
  const byPosition = new Map()
  const completedJobs = new Map()
  const endedInstances = new Map()
  const createdInstances = new Set()
  const keys = new Map() // key of a new entity -> its first record, to check that no key is used twice
  const last = new Map() // partition -> position
  const processes = new Map() // partition -> keys of the definitions it knows, in their order
  for (const record of records) {
    const place = `${record.partitionId}:${record.position}`
    const text = JSON.stringify(record)
    if (byPosition.has(place)) {
      if (byPosition.get(place) !== text) ledger.wrong.push(`two different records at ${place}`)
      continue
    }
    byPosition.set(place, text)
    const previous = last.get(record.partitionId) || 0
    if (record.position !== previous + 1) ledger.wrong.push(`position ${record.position} follows ${previous}`)
    last.set(record.partitionId, record.position)

    const key = String(record.key)
    const name = `${record.valueType} ${record.intent}`
    if (record.recordType !== 'EVENT') continue
    if (name === 'JOB CREATED' || name === 'PROCESS_INSTANCE ELEMENT_ACTIVATING') {
      if (keys.has(key)) ledger.wrong.push(`key ${key} was given to ${keys.get(key)} and to ${name} at ${place}`)
      keys.set(key, name)
    }
    if (name === 'PROCESS CREATED') {
      if (!processes.has(record.partitionId)) processes.set(record.partitionId, [])
      processes.get(record.partitionId).push(`${key} ${record.value.bpmnProcessId} ${record.value.version}`)
    }
    if (name === 'JOB COMPLETED') {
      if (completedJobs.has(key)) ledger.wrong.push(`job ${key} was completed at ${completedJobs.get(key)} and at ${place}`)
      completedJobs.set(key, place)
    }
    if (record.valueType === 'PROCESS_INSTANCE' && record.value.bpmnElementType === 'PROCESS') {
      if (record.intent === 'ELEMENT_ACTIVATED') createdInstances.add(key)
      if (record.intent === 'ELEMENT_COMPLETED') {
        if (endedInstances.has(key)) ledger.wrong.push(`instance ${key} ended twice`)
        endedInstances.set(key, place)
      }
    }
  }
  const deployed = processes.get(1) || []
  for (const [partition, known] of processes) {
    if (known.join() !== deployed.join()) {
      ledger.wrong.push(`partition ${partition} has ${known.length} definitions, not the ${deployed.length} of partition 1 in their order`)
    }
  }
  for (const key of ledger.completions.keys()) {
    if (!completedJobs.has(key)) ledger.wrong.push(`the completion of job ${key} was acknowledged but is not on the log`)
  }
  for (const key of ledger.instances) {
    if (!createdInstances.has(key)) ledger.wrong.push(`instance ${key} was acknowledged but is not on the log`)
    if (!endedInstances.has(key)) ledger.wrong.push(`instance ${key} never ended on the log`)
  }
  return `${byPosition.size} records tell of ${createdInstances.size} instances, ${endedInstances.size} ended, ${completedJobs.size} jobs completed`
}

module.exports = { audit }
