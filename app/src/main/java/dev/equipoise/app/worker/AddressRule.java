package dev.equipoise.app.worker;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Registration;
import java.net.InetAddress;
import java.util.List;

/**
 * Refuses a newcomer if it and a worker on another host could not reach each other, as one of them
 * has a loopback address. Agents of earlier versions report no data address and pass.
 */
final class AddressRule {

    private AddressRule() {}

    /**
     * Checks a newcomer.
     *
     * @throws Problem {@code illegal-state} with the option to set
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
                    && isLoopback(address) != isLoopback(own)) {
                throw Problem.of(
                        ErrorCode.ILLEGAL_STATE,
                        isLoopback(own)
                                ? leadsNowhere(own, other.name(), address)
                                : blocks(other.name(), address));
            }
        }
    }

    private static String leadsNowhere(String own, String other, String address) {
        return "The other agents would look for this one at %s, which leads each host to itself, and worker %s is on another host, at %s: set --host to an address at which they reach the host of this agent"
                .formatted(own, other, address);
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
