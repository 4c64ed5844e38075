/** Signals that a client has disconnected. */
import type { Socket } from 'node:net';
import { errors } from '../errors.ts';

const signals = new WeakMap<Socket, AbortSignal>();

/** Aborted when the connection closes; shared by all its requests. */
export function departureOn(socket: Socket): AbortSignal {
  let signal = signals.get(socket);
  if (!signal) {
    const controller = new AbortController();
    const leave = () => controller.abort(errors.callerLeft());
    if (socket.destroyed) leave();
    else socket.once('close', leave);
    signals.set(socket, (signal = controller.signal));
  }
  return signal;
}
