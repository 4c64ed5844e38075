/** Tells public internet addresses from special ones, by the IANA registries and a few more. */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const specialIPv4 = networks('ipv4', [
  '0.0.0.0/8', // this network; Linux takes it for loopback
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host, to each of its virtual machines
  '169.254.0.0/16', // link-local; the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocols
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved; broadcast
]);

/** Everything allocated for public use. Loopback, local, multicast, mapped, compatible and NAT64 addresses are outside. */
const globalIPv6 = networks('ipv6', ['2000::/3']);

const specialIPv6 = networks('ipv6', [
  '2001::/23', // protocols: Teredo, which has an IPv4 address inside, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which has an IPv4 address inside
  '3fff::/20', // documentation
]);

/** Whether the address is public and not one of this machine: a firewall may protect those from outside only. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIPv4.check(address, 'ipv4') && !isOwn(address, 'ipv4');
    case 6:
      return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6') && !isOwn(address, 'ipv6');
    default:
      return false;
  }
}

function isOwn(address: string, family: 'ipv4' | 'ipv6'): boolean {
  const own = new BlockList();
  for (const found of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    if (found.family.toLowerCase() === family) own.addAddress(found.address, family);
  return own.check(address, family);
}

function networks(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
