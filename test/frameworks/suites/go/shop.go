package shop

import "errors"

type card struct{ number string }

func taxOf(price int) int { return price / 5 }

func order(one card) (int, error) { return charge(one) }

func charge(one card) (int, error) {
	if one.number == "" {
		return 0, errors.New("the card has no number")
	}
	return len(one.number), nil
}
