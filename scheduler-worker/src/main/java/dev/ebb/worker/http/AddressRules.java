package dev.ebb.worker.http;

import java.net.InetAddress;

/**
 * Decides which addresses deliveries may connect to: public ones, and those that the operator
 * listed; never a cloud's metadata service, and so nothing link-local in IPv4. Ports of other
 * services must be listed themselves: a mail server obeys commands in the body of a delivery.
 */
final class AddressRules implements GuardedResolver.Guard {
  private final AllowList allowed;

  AddressRules(AllowList allowed) {
    this.allowed = allowed;
  }

  @Override
  public boolean names(String host) {
    return allowed.names(host);
  }

  @Override
  public boolean permits(String host, InetAddress address, int port) {
    if (SpecialNetworks.isMetadata(address)) {
      return false;
    }
    return OtherPorts.have(port)
        ? allowed.containsWithPort(host, address, port)
        : SpecialNetworks.isPublic(address) || allowed.contains(host, address, port);
  }
}
