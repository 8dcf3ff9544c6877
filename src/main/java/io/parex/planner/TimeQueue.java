package io.parex.planner;

import java.util.Arrays;

/** Numbers by time, the earliest first, of equal times the smallest: a binary heap without objects. */
final class TimeQueue {
    private double[] times = new double[1024];
    private int[] numbers = new int[1024];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void add(double time, int number) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        int at = size++;
        while (at > 0 && isBefore(time, number, (at - 1) / 2)) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        set(at, time, number);
    }

    /** Takes the first one out. */
    int remove() {
        int first = numbers[0];
        double time = times[--size];
        int number = numbers[size];
        int at = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && isBefore(times[child + 1], numbers[child + 1], child)) {
                child++;
            }
            if (isBefore(time, number, child)) {
                break;
            }
            move(child, at);
            at = child;
            child = 2 * at + 1;
        }
        set(at, time, number);
        return first;
    }

    private boolean isBefore(double time, int number, int other) {
        return time < times[other] || time == times[other] && number < numbers[other];
    }

    private void move(int from, int to) {
        set(to, times[from], numbers[from]);
    }

    private void set(int at, double time, int number) {
        times[at] = time;
        numbers[at] = number;
    }
}
