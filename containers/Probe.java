import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;

/** Asks the program of this container how it is; for engines that cannot ask by themselves. */
final class Probe {

    private static final int PATIENCE_MILLIS = 3000;

    private Probe() {}

    /** Status 0 where the port of this host, or of its loopback, answers the path with 200. */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        boolean isWell =
                answers(InetAddress.getLoopbackAddress(), port, arguments[1])
                        || answers(InetAddress.getLocalHost(), port, arguments[1]);
        System.exit(isWell ? 0 : 1);
    }

    private static boolean answers(InetAddress host, int port, String path) {
        try {
            var connection =
                    (HttpURLConnection)
                            URI.create(
                                            "http://%s:%d%s"
                                                    .formatted(host.getHostAddress(), port, path))
                                    .toURL()
                                    .openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException silent) {
            return false;
        }
    }
}
