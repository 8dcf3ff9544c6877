package io.parex.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which sends lend out the memory that a step writes, and the two ends of each pipe. */
final class Loans {
    private final StepTable table;
    private final List<List<Integer>> lenders = new ArrayList<>();
    private final int[] pipeEnds;

    Loans(StepTable table) {
        this.table = table;
        this.pipeEnds = new int[table.count()];
        Arrays.fill(pipeEnds, StepTable.NONE);
        List<List<Integer>> sendsByRank = new ArrayList<>();
        for (int rank = 0; rank < table.world().size(); rank++) {
            sendsByRank.add(new ArrayList<>());
        }
        for (int id = 0; id < table.count(); id++) {
            if (table.isSend(id)) {
                sendsByRank.get(table.rank(id)).add(id);
            }
        }
        for (int id = 0; id < table.count(); id++) {
            addWriter(id, sendsByRank.get(table.rank(id)));
        }
    }

    /** The sends of the same rank whose source overlaps what this step writes. */
    List<Integer> lenders(int writer) {
        return lenders.get(writer);
    }

    /** The send at the other end of a writer's pipe, the writer at the other end of a send's, or none. */
    int pipeEnd(int id) {
        return pipeEnds[id];
    }

    private void addWriter(int writer, List<Integer> sends) {
        Aliasing aliasing = table.world().problem(table.rank(writer)).aliasing();
        List<Integer> found = new ArrayList<>();
        for (Slice target : StepSlices.writes(table.step(writer))) {
            for (int send : sends) {
                Slice source = table.source(send);
                if (aliasing.overlap(target, source)) {
                    found.add(send);
                    notePipe(writer, send, target.buffer());
                }
            }
        }
        lenders.add(found);
    }

    private void notePipe(int writer, int send, Buffer buffer) {
        Schedule schedule = table.world().ranks().get(table.rank(writer));
        if (buffer.isScratch() && schedule.scratch().get(buffer.index()).pipe()) {
            pipeEnds[writer] = send;
            pipeEnds[send] = writer;
        }
    }
}
