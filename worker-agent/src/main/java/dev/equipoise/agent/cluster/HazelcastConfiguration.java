package dev.equipoise.agent.cluster;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.ConfigAccessor;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.config.ServiceConfig;
import com.hazelcast.config.TcpIpConfig;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;

/**
 * Configures Hazelcast for membership and byte streams only: one interface, one port that speaks
 * the protocol of members alone, known members, and no discovery or services of its own.
 */
final class HazelcastConfiguration {

    /** The member attribute with the worker id. */
    static final String WORKER = "worker";

    /** The member attribute with the data address. */
    static final String DATA = "data";

    private static final Map<String, String> PROPERTIES =
            Map.ofEntries(
                    Map.entry("hazelcast.logging.type", "slf4j"),
                    // The details of each line contain the cluster name.
                    Map.entry("hazelcast.logging.details.enabled", "false"),
                    Map.entry("hazelcast.phone.home.enabled", "false"),
                    Map.entry("hazelcast.health.monitoring.level", "OFF"),
                    Map.entry("hazelcast.socket.bind.any", "false"),
                    Map.entry("hazelcast.partition.count", "31"),
                    // The agent shuts its components down in its own order.
                    Map.entry("hazelcast.shutdownhook.enabled", "false"),
                    Map.entry("hazelcast.graceful.shutdown.max.wait", "10"),
                    Map.entry("hazelcast.heartbeat.interval.seconds", "1"),
                    Map.entry("hazelcast.max.no.heartbeat.seconds", "5"),
                    Map.entry("hazelcast.wait.seconds.before.join", "0"),
                    // Two clusters that started at the same time look for each other; default: 5
                    // minutes.
                    Map.entry("hazelcast.merge.first.run.delay.seconds", "5"),
                    Map.entry("hazelcast.merge.next.run.delay.seconds", "5"));

    private static final int CONNECTION_TIMEOUT_SECONDS = 2;

    private HazelcastConfiguration() {}

    static Config of(ClusterSettings settings, int port, HazelcastStreams streams) {
        Config config = new Config().setClusterName(settings.clusterName());
        PROPERTIES.forEach(config::setProperty);
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        config.getIntegrityCheckerConfig().setEnabled(false);
        config.addMapConfig(new MapConfig("default").setBackupCount(0).setAsyncBackupCount(0));
        config.getSerializationConfig().setJavaSerializationFilterConfig(errorsOnly());
        config.getMemberAttributeConfig()
                .setAttribute(WORKER, settings.worker())
                .setAttribute(DATA, settings.dataAddress());
        config.getSerializationConfig()
                .addDataSerializableFactory(HazelcastSlice.FACTORY, HazelcastConfiguration::slice);
        ConfigAccessor.getServicesConfig(config)
                .addServiceConfig(
                        new ServiceConfig()
                                .setEnabled(true)
                                .setName(HazelcastStreams.NAME)
                                .setImplementation(streams));
        listen(config.getAdvancedNetworkConfig(), settings, port);
        return config;
    }

    private static IdentifiedDataSerializable slice(int type) {
        if (type != HazelcastSlice.TYPE) {
            throw new IllegalArgumentException(
                    "slice type "
                            + type
                            + " is unknown; all agents of a lab must run the same version");
        }
        return new HazelcastSlice();
    }

    static String write(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /**
     * Listens for members alone. The plain network configuration also accepts clients, which may
     * read, fill and shut down every member of the cluster.
     */
    private static void listen(AdvancedNetworkConfig network, ClusterSettings settings, int port) {
        var endpoint = new ServerSocketEndpointConfig();
        endpoint.setPort(port).setPortAutoIncrement(false).setReuseAddress(true);
        endpoint.getInterfaces().setEnabled(true).addInterface(addressOf(settings.host()));
        network.setEnabled(true).setMemberEndpointConfig(endpoint);
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        TcpIpConfig members = join.getTcpIpConfig().setEnabled(true);
        members.setConnectionTimeoutSeconds(CONNECTION_TIMEOUT_SECONDS);
        settings.seeds().forEach(members::addMember);
    }

    /**
     * Allows Java deserialization of the errors that operations between members can return, and of
     * no other class. Hazelcast's own formats, which run no readObject, are not filtered.
     */
    private static JavaSerializationFilterConfig errorsOnly() {
        var allowed = new ClassFilter();
        allowed.addPackages("com.hazelcast.core", "com.hazelcast.spi.exception");
        allowed.addClasses(
                Throwable.class.getName(),
                Exception.class.getName(),
                RuntimeException.class.getName(),
                IllegalStateException.class.getName(),
                IllegalArgumentException.class.getName(),
                StackTraceElement.class.getName(),
                StackTraceElement[].class.getName(),
                "java.util.Collections$EmptyList");
        return new JavaSerializationFilterConfig().setDefaultsDisabled(true).setWhitelist(allowed);
    }

    private static String addressOf(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "host " + host + " has no address: check the name or use an IP address", e);
        }
    }
}
