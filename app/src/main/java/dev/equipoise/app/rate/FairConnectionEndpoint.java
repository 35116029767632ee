package dev.equipoise.app.rate;

import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Accepts connections fairly. Once half of the maximum number of connections are open, no network
 * gets more than a quarter of the maximum, so that a client that opens many connections and sends
 * little or nothing cannot exclude others. Called by one thread.
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
        if (maximum <= 0 || getConnectionCount() <= maximum / 2) {
            return true;
        }
        NetworkPrefix own = NetworkPrefix.of(address);
        return getConnections().stream()
                        .map(SocketWrapperBase::getRemoteAddr)
                        // A connection that has just ended has no address.
                        .filter(Objects::nonNull)
                        .filter(it -> own.equals(NetworkPrefix.of(it)))
                        .count()
                < maximum / 4;
    }
}
