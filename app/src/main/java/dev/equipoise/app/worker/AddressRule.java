package dev.equipoise.app.worker;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import java.net.InetAddress;
import java.util.List;

/**
 * Refuses a newcomer if it and a worker on another host could not reach each other, as one of them,
 * or each, has a loopback address. Agents that report no data address pass. Hosts are told apart by
 * their names; probes find out that a loopback address leads to another worker on a host of the
 * same name.
 */
final class AddressRule {

    private AddressRule() {}

    /**
     * Checks a newcomer.
     *
     * @throws Problem {@code unreachable-address} with the option to set
     */
    static void require(Registration newcomer, List<LabWorker> live) {
        String own = newcomer.dataAddress();
        if (own == null) {
            return;
        }
        for (LabWorker other : live) {
            String address = other.dataAddress();
            if (address != null
                    && !other.host().name().equals(newcomer.host().name())
                    && (isLoopback(address) || isLoopback(own))) {
                throw Problem.of(
                        code(newcomer),
                        isLoopback(own)
                                ? leadsNowhere(own, other.name(), address)
                                : blocks(other.name(), address));
            }
        }
    }

    /** An agent takes a code that it does not know for the answer of a proxy, and repeats. */
    private static ErrorCode code(Registration newcomer) {
        return newcomer.release().protocol().isOlderThan(ProtocolVersion.UNREACHABLE_ADDRESS)
                ? ErrorCode.ILLEGAL_STATE
                : ErrorCode.UNREACHABLE_ADDRESS;
    }

    private static String leadsNowhere(String own, String other, String address) {
        return "The other agents would look for this one at %s, which leads each host to itself, and worker %s is on another host, at %s: set --host to an address at which they reach the host of this agent%s"
                .formatted(own, other, address, isLoopback(address) ? alsoOf(other) : "");
    }

    private static String alsoOf(String other) {
        return ", and start the agent of %s again in the same way, or let both run on one host"
                .formatted(other);
    }

    private static String blocks(String other, String address) {
        return "Worker %s is at %s, which leads each host to itself, so this agent on another host cannot reach it: start the agent of %s again with --host and an address at which the others reach it, or let this one join without --host if both are on one host"
                .formatted(other, address, other);
    }

    /** Looks no name up, since an agent chooses it. */
    private static boolean isLoopback(String address) {
        String host = address.substring(0, address.lastIndexOf(':')).replaceAll("^\\[|\\]$", "");
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            InetAddress literal = InetAddress.ofLiteral(host);
            return literal.isLoopbackAddress() || literal.isAnyLocalAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
