import { readFileSync, realpathSync, statfsSync } from 'node:fs';

/** Those of Linux, by the number that statfs gives (linux/magic.h). */
const BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb3'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
]);
const FUSE = 0x65735546;
/** Of the file systems in user space, those that lead elsewhere. */
const OVER_NETWORK =
  /^fuse\.(?:sshfs|s3fs|glusterfs|rclone|gcsfuse|goofys|davfs2?|ceph(?:-fuse)?|blobfuse2?|juicefs|mount-s3|curlftpfs)$/;

/** The name of the network file system that a folder is on; undefined on a disk of this machine, and where it is not known. */
export function networkFileSystem(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const number = statfsSync(folder).type >>> 0;
  if (number !== FUSE) return kindOf(number);
  try {
    return kindOf(number, mountedAs(realpathSync(folder), readFileSync('/proc/self/mountinfo', 'utf8')));
  } catch {
    return undefined;
  }
}

/** @param mounted the type that a mount has in /proc/self/mountinfo */
export function kindOf(number: number, mounted = ''): string | undefined {
  if (number === FUSE) return OVER_NETWORK.test(mounted) ? mounted : undefined;
  return BY_NUMBER.get(number);
}

/** The type of the innermost mount that a folder is in. */
export function mountedAs(folder: string, mountinfo: string): string | undefined {
  let found: { point: string; type: string } | undefined;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    // Spaces in a path are written as octal.
    const point = before
      .split(' ')[4]
      ?.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    const [type = ''] = after.split(' ');
    if (point === undefined) continue;
    const isIn = folder === point || folder.startsWith(point.endsWith('/') ? point : `${point}/`);
    if (isIn && point.length >= (found?.point.length ?? 0)) found = { point, type };
  }
  return found?.type;
}
