package dev.equipoise.performance.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One-port model with queues: each rank sends one frame and receives one frame at a time. A frame
 * occupies the sender's port, reaches the receiver's port after the latency, and occupies it for as
 * long, first come, first served. Switching is cut-through, so that a frame alone takes alpha +
 * beta m. Frames of a shaped link queue between the ports.
 */
final class Ports {

    private final Links links;
    private final double[] egress;
    private final double[] ingress;
    private final double[] busy;
    private final double[] out;
    private final Map<Long, Double> freeLinks = new HashMap<>();
    private double bytes;

    Ports(Links links, int ranks) {
        this.links = links;
        this.egress = new double[ranks];
        this.ingress = new double[ranks];
        this.busy = new double[ranks];
        this.out = new double[ranks];
    }

    /** A frame in transit. */
    static final class Frame {
        final int from;
        final int to;
        private final double portSeconds;
        private double reaches;
        private double arrived;

        private Frame(int from, int to, double portSeconds) {
            this.from = from;
            this.to = to;
            this.portSeconds = portSeconds;
        }

        /** Returns when the first byte reaches the receiver's port. */
        double reaches() {
            return reaches;
        }

        double arrived() {
            return arrived;
        }
    }

    /** Queues a frame at the sender's port. */
    Frame send(int from, int to, double at, double frameBytes) {
        var frame = new Frame(from, to, links.secondsPerByte(from, to) * frameBytes);
        double begins = Math.max(egress[from], at);
        egress[from] = begins + frame.portSeconds;
        busy[from] += frame.portSeconds;
        double through = through(frame, begins, frameBytes);
        out[from] = Math.max(out[from], through + frame.portSeconds);
        frame.reaches = through + links.latency(from, to);
        bytes += frameBytes;
        return frame;
    }

    /**
     * Returns when the shaping delay of a frame ends, which also queues it behind earlier frames of
     * its link.
     */
    private double through(Frame frame, double begins, double frameBytes) {
        double held = links.heldSecondsPerByte(frame.from, frame.to) * frameBytes;
        if (held == 0) {
            return begins;
        }
        long link = ((long) frame.from << Integer.SIZE) | frame.to;
        double through = Math.max(freeLinks.getOrDefault(link, 0.0), begins) + held;
        freeLinks.put(link, through + frame.portSeconds);
        return through;
    }

    /**
     * Receives a frame. Frames of one receiver must be received in the order in which they reach
     * it.
     */
    double receive(Frame frame) {
        frame.arrived = Math.max(ingress[frame.to], frame.reaches) + frame.portSeconds;
        ingress[frame.to] = frame.arrived;
        return frame.arrived;
    }

    /**
     * Receives frames in the order in which they reach their receivers. The list must contain all
     * competing frames.
     */
    void receive(List<Frame> frames) {
        List<Frame> ordered = new ArrayList<>(frames);
        ordered.sort(Comparator.comparingDouble(frame -> frame.reaches));
        ordered.forEach(this::receive);
    }

    /** Returns when all frames that a rank sent have left it. */
    double sentAt(int rank) {
        return out[rank];
    }

    /** Returns the seconds for which a rank's outgoing port was busy. */
    double busy(int rank) {
        return busy[rank];
    }

    double bytes() {
        return bytes;
    }
}
