import { parseUrn } from '../../urn/urn.ts';
import { openActingCatalogue } from './acting-catalogue.fixture.ts';
import { addTags, gold } from './action.fixture.ts';

// Run as a process of its own, in the folder that is its argument: acts on many entities until somebody kills it.

const [folder = ''] = process.argv.slice(2);
const entities = 400;
const acting = await openActingCatalogue({
  folder,
  around: (execute) => async (command, input, caller) => {
    const result = await execute(command, input, caller);
    process.stdout.write('wrote\n');
    return result;
  },
});
for (let index = 0; index < entities; index += 1) {
  await acting.catalogue.seed(`urn:li:dataset:(urn:li:dataPlatform:hive,t${index},PROD)`);
}
await acting.save('all', { passing: [addTags(gold)] }, false);
await acting.approve(parseUrn('urn:li:test:all'));
process.stdout.write('done\n');
setInterval(() => {}, 1_000);
