//! Quicksort in place, with the median of three and short parts by insertion (Sedgewick 1978): the serial program
//! against which [`cilksort`](crate::cilksort) is measured, its star in figure 6 of Frigo, Leiserson and Randall
//! (1998).

use crate::sorting::Element;

/// Fewer elements are sorted by insertion.
const SHORT: usize = 24;

/// Sorts a slice. The larger part is left to the loop, so the stack holds at most log₂ n calls; what divides badly for
/// too long is left to the standard library.
pub(crate) fn quicksort<T: Element>(elements: &mut [T]) {
    let patience = 2 * (elements.len() + 1).ilog2();
    sort(elements, patience);
}

fn sort<T: Element>(mut rest: &mut [T], mut patience: u32) {
    while rest.len() > SHORT {
        if patience == 0 {
            return rest.sort_unstable();
        }
        patience -= 1;
        let middle = partition(rest);
        let (left, right) = rest.split_at_mut(middle);
        let (less, more) = if left.len() < right.len() { (left, right) } else { (right, left) };
        sort(less, patience);
        rest = more;
    }
    insertion_sort(rest);
}

/// Hoare's partition by the median of the first, the middle and the last element: where the upper part begins. Neither
/// part is empty.
fn partition<T: Element>(elements: &mut [T]) -> usize {
    let last = elements.len() - 1;
    let mut three = [elements[0], elements[last / 2], elements[last]];
    three.sort_unstable();
    let pivot = three[1];
    let (mut left, mut right) = (0, last);
    loop {
        while elements[left] < pivot {
            left += 1;
        }
        while elements[right] > pivot {
            right -= 1;
        }
        if left >= right {
            // At the last element, the pivot is the largest there is.
            return left.clamp(1, last);
        }
        elements.swap(left, right);
        left += 1;
        right -= 1;
    }
}

fn insertion_sort<T: Element>(elements: &mut [T]) {
    for next in 1..elements.len() {
        let element = elements[next];
        let mut place = next;
        while place > 0 && element < elements[place - 1] {
            elements[place] = elements[place - 1];
            place -= 1;
        }
        elements[place] = element;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sorting::numbers;

    #[test]
    fn inputs_of_any_length_and_order_are_sorted() {
        for length in (0..100).chain([1000, 5000]) {
            for modulus in [1, 2, 10, u64::MAX] {
                let random: Vec<u64> = numbers(length).into_iter().map(|number| number % modulus).collect();
                let mut sorted = random.clone();
                sorted.sort();
                let organ = sorted.iter().chain(sorted.iter().rev()).copied().collect();
                for mut input in [random, sorted.clone(), sorted.iter().rev().copied().collect(), organ] {
                    let mut expected = input.clone();
                    expected.sort();
                    quicksort(&mut input);
                    assert_eq!(input, expected);
                }
            }
        }
    }
}
