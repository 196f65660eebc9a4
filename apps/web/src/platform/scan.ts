import decodeQR from 'qr/decode.js';

/** Between two looks at the picture: a code is held for a second or two. */
const LOOK_EVERY_MS = 200;
/** Pixels at the longer side of what is looked at: more is slower and finds no more. */
const LOOKED_AT = 640;

/**
 * Shows the camera and reads QR codes from it, until one is taken or the signal ends it. The picture stays in this page.
 *
 * @param found takes what a code says; true ends the scan
 * @throws DOMException when there is no camera, or the person does not allow it
 */
export async function scan(
  video: HTMLVideoElement,
  found: (text: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const end = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) return end();
  signal.addEventListener('abort', end, { once: true });
  video.srcObject = stream;
  await video.play();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const look = () => {
    if (signal.aborted || context === null) return;
    const text = codeIn(video, canvas, context);
    if (text !== undefined && found(text)) return end();
    setTimeout(look, LOOK_EVERY_MS);
  };
  look();
}

function codeIn(
  video: HTMLVideoElement,
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
): string | undefined {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0) return undefined;
  const scale = Math.min(1, LOOKED_AT / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  try {
    return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    // Most pictures hold no code.
    return undefined;
  }
}
