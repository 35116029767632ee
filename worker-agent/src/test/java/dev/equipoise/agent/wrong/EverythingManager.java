package dev.equipoise.agent.wrong;

import com.hazelcast.config.Config;
import dev.equipoise.agent.lifecycle.Agent;
import dev.equipoise.agent.simulation.Simulation;
import dev.equipoise.agent.wrongtoo.Accomplice;
import java.time.Instant;
import java.util.Random;
import org.nd4j.linalg.factory.Nd4j;

/** Violates every architecture rule; it is compiled and never run. */
public final class EverythingManager {

    private EverythingManager() {}

    public static String nativeMemory() {
        return Nd4j.zeros(1).toString();
    }

    public static Config hazelcast() {
        return new Config();
    }

    public static long clocks() {
        return Instant.now().toEpochMilli() + System.currentTimeMillis() + System.nanoTime();
    }

    public static double chance() {
        return new Random().nextDouble();
    }

    public static Thread threads() {
        return new Thread(Accomplice::meet);
    }

    public static Class<?> lifecycle() {
        return Agent.class;
    }

    public static Class<?> simulation() {
        return Simulation.class;
    }
}
