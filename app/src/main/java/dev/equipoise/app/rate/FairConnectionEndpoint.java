package dev.equipoise.app.rate;

import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Accepts connections fairly: a network gets at most as many connections as are free. One network
 * alone gets half of the maximum, the next one half of the rest, and so on, so that clients that
 * open many connections and send little or nothing leave some for others. Called by one thread.
 */
final class FairConnectionEndpoint extends NioEndpoint {

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        if (isFair(socket.socket().getInetAddress().getHostAddress())) {
            return super.setSocketOptions(socket);
        }
        destroySocket(socket);
        return false;
    }

    private boolean isFair(String address) {
        int maximum = getMaxConnections();
        if (maximum <= 0) {
            return true;
        }
        // The count includes this connection.
        long open = getConnectionCount() - 1;
        long free = maximum - open;
        return open < free || openFrom(NetworkPrefix.of(address)) < free;
    }

    private long openFrom(NetworkPrefix network) {
        return getConnections().stream()
                .map(SocketWrapperBase::getRemoteAddr)
                // A connection that has just ended has no address.
                .filter(Objects::nonNull)
                .filter(it -> network.equals(NetworkPrefix.of(it)))
                .count();
    }
}
