/** DataHub's `OwnershipType`: how an owner is related to what it owns, where no ownership type entity says so (wire 8.3). */
export const ownershipKinds = [
  'CUSTOM',
  'TECHNICAL_OWNER',
  'BUSINESS_OWNER',
  'DATA_STEWARD',
  'NONE',
  'DEVELOPER',
  'DATAOWNER',
  'DELEGATE',
  'PRODUCER',
  'CONSUMER',
  'STAKEHOLDER',
] as const;
