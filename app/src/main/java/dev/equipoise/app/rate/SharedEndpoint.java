package dev.equipoise.app.rate;

import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Takes connections. As soon as half of all that there may be are there, no network gets more than
 * a quarter: whoever opens one after the other and says nothing, or next to nothing, keeps nobody
 * out. One thread calls.
 */
final class SharedEndpoint extends NioEndpoint {

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        if (isFair(socket.socket().getInetAddress().getHostAddress())) {
            return super.setSocketOptions(socket);
        }
        destroySocket(socket);
        return false;
    }

    private boolean isFair(String address) {
        int most = getMaxConnections();
        if (most <= 0 || getConnectionCount() <= most / 2) {
            return true;
        }
        Network own = Network.of(address);
        return getConnections().stream()
                        .map(SocketWrapperBase::getRemoteAddr)
                        // One that has ended meanwhile has none.
                        .filter(Objects::nonNull)
                        .filter(it -> own.equals(Network.of(it)))
                        .count()
                < most / 4;
    }
}
