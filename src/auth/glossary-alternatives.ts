import type { Urn } from '../urn/urn.ts';
import type { Alternative } from './caller.ts';

/** What does instead of MANAGE_GLOSSARIES to change or delete a term or node: a right on a node above (contract 7.1, 12). */
export function asChild(urn: Urn): readonly Alternative[] {
  return [
    {
      anyOf: ['MANAGE_GLOSSARY_CHILDREN', 'MANAGE_ALL_GLOSSARY_CHILDREN'],
      on: urn,
      where: 'nodeAbove',
    },
    { anyOf: ['MANAGE_ALL_GLOSSARY_CHILDREN'], on: urn, where: 'anyNodeAbove' },
  ];
}

/** The same to create something below a node or to move it there. */
export function belowNode(node: Urn): readonly Alternative[] {
  return [
    { anyOf: ['MANAGE_GLOSSARY_CHILDREN', 'MANAGE_ALL_GLOSSARY_CHILDREN'], on: node },
    { anyOf: ['MANAGE_ALL_GLOSSARY_CHILDREN'], on: node, where: 'anyNodeAbove' },
  ];
}
