package dev.equipoise.app.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks up the addresses of a host. */
@FunctionalInterface
interface NameResolver {

    /**
     * Returns the addresses of a host.
     *
     * @param host name or literal address
     * @throws UnknownHostException if it has none
     */
    InetAddress[] resolve(String host) throws UnknownHostException;
}
