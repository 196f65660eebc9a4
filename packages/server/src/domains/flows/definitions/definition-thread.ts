/** A thread that does what takes long for large definitions, one after the other. */
import { serveWork } from '../../../core/work-thread.ts';
import { definitionWork } from './definition-work.ts';

serveWork(definitionWork);
