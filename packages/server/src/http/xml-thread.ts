/** A thread that writes large answers as XML. */
import { serveWork } from '../core/work-thread.ts';
import { xmlWork } from './xml-work.ts';

serveWork(xmlWork);
